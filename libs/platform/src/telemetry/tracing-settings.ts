import { z } from 'zod';
import { httpAddress } from '../settings/addresses.ts';

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Names and values of the OpenTelemetry specification (Environment Variable Specification). */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: httpAddress()
    .optional()
    .describe(
      'Address that receives the spans (OTLP over HTTP, JSON), for example http://collector:4318; without it there are no traces',
    ),
  OTEL_TRACES_SAMPLER: z
    .enum(samplers)
    .default('parentbased_always_on')
    .describe(
      'Which traces are recorded; the gateway decides for each request, the monitor for each scheduled check. `parentbased_traceidratio` records a part of them',
    ),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .transform(Number)
    .refine((ratio) => ratio >= 0 && ratio <= 1, 'must be a number from 0 to 1')
    .optional()
    .describe('Part of the traces that `parentbased_traceidratio` records, from 0 to 1; default 1'),
};

export type TracingSettings = Partial<z.output<z.ZodObject<typeof tracingSettings>>>;
