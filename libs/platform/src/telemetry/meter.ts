export type { Counter, Histogram, Meter, ObservableGauge } from '@opentelemetry/api';
