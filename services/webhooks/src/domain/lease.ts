/** Duration of a claim, ms: the delivery of a killed process is attempted again after it (ADR 0025). */
export const leaseMs = 8_000;
