import { z } from "zod";

const moment = z.string().nullable();
const count = z.number().int();

const waits = z.object({ count, medianMs: z.number().nullable(), ninetyMs: z.number().nullable() });

/** What the job `status` has measured. It is stored as JSON, so that no request reads large tables. */
export const measurementSchema = z.object({
  at: z.string(),
  /** The answers of the responder of each issuing CA. The times are null when there is no valid answer. */
  responders: z.array(z.object({ authority: z.string(), thisUpdate: moment, renewAt: moment, nextUpdate: moment })),
  revocations: z.object({
    count,
    medianMs: z.number().nullable(),
    ninetyNineMs: z.number().nullable(),
    longestMs: z.number().nullable(),
    lastAt: moment,
    /** Revocations that were asked for more than a minute ago and are not published. */
    waiting: count,
    waitingSince: moment,
  }),
  /** The last nightly audit that finished. Null before the first one. */
  audit: z
    .object({
      finishedAt: z.string(),
      certificates: count,
      /** Open findings in which database, CRL and OCSP contradict each other, and all others. */
      contradictions: count,
      others: count,
    })
    .nullable(),
  orders: z.object({ byStaff: waits, standing: waits, waiting: count, oldestAt: moment }),
  uptime: z.object({
    since: moment,
    months: z.array(z.object({ month: z.string(), percent: z.number(), downMs: z.number(), interruptions: count })),
  }),
});

export type Measurement = z.infer<typeof measurementSchema>;
