import { type Task } from "~/domain/accounts/rights.policy";
import { type BulkResult } from "~/domain/certificates/queue/bulk-approval.service.server";

interface WorkKind {
  /** The task of staff that this work is part of. Whoever lost it no longer sees the work. */
  task: Task;
  title: string;
  /** What is counted, or null when nobody can say how far the work is. */
  unit: string | null;
  /** What to do when the process that did the work has ended. */
  whenLost: string;
}

/** The work of staff that can take longer than a page should. */
export const WORK_KINDS = {
  approval: {
    task: "approve-orders",
    title: "Approving orders",
    unit: "orders",
    whenLost:
      "Certificates that were being issued are finished by themselves. Orders that were not reached are still in the queue: select them again.",
  },
  orders: {
    task: "work-on-orders",
    title: "Working on orders",
    unit: "orders",
    whenLost: "Each order was changed wholly or not at all. The queue says which ones were not: select them again.",
  },
  job: {
    task: "run-jobs",
    title: "Running a job",
    unit: null,
    whenLost: "The job runs again by itself. The page of the jobs says when.",
  },
  import: {
    task: "change-users",
    title: "Importing users",
    unit: null,
    whenLost: "Either all accounts of the file were imported or none. The page of the file says which.",
  },
} as const satisfies Record<string, WorkKind>;

export type LongWorkKind = keyof typeof WORK_KINDS;

/** What came of the work: the orders that were approved and those that were not, or a sentence. */
export type WorkOutcome = { approved: BulkResult } | { kind: "ok" | "bad"; text: string };

/** How often, in seconds, the page of running work loads itself again in a browser without scripts. */
export const REFRESH_S = 3;
