import { z } from "zod";
import { ORDERS_DAYS, REVOCATION_DAYS } from "./times";

const at = (about: string) => z.string().datetime().describe(`${about}, in UTC`);
const atOrNull = (about: string) =>
  z.string().datetime().nullable().describe(`${about}, in UTC; null when there is none`);
const count = (about: string) => z.number().int().min(0).describe(about);
const seconds = (about: string) => z.number().min(0).describe(`${about}, in seconds`);
const secondsOrNull = (about: string) =>
  z.number().nullable().describe(`${about}, in seconds; null without measurements`);

const freshness = z
  .enum(["fresh", "late", "ended", "missing"])
  .describe("Whether it is on time, late but still valid, no longer valid, or not there");

const list = z.object({
  authority: z.string().describe("The name of the CA, such as `issuing-sha2`"),
  caption: z.string().describe("The name of the CA for people"),
  kind: z.enum(["base", "delta"]).describe("A base CRL names all revoked certificates, a delta CRL what is new"),
  url: z.string().describe("The address of the file"),
  state: freshness,
  number: z.number().int().nullable().describe("The CRL number of the file; null when there is none"),
  entries: z.number().int().nullable().describe("How many certificates it names"),
  thisUpdate: atOrNull("When it was signed"),
  ageSeconds: secondsOrNull("Its age"),
  nextDue: atOrNull("When the next one is due at the latest"),
  nextUpdate: atOrNull("Until when it is valid"),
});

const responder = z.object({
  authority: z.string().describe("The name of the CA, such as `issuing-sha2`"),
  caption: z.string().describe("The name of the CA for people"),
  url: z.string().describe("The address of the responder"),
  state: freshness,
  thisUpdate: atOrNull("When its answer was signed"),
  ageSeconds: secondsOrNull("The age of its answer"),
  nextDue: atOrNull("When the next answer is due at the latest"),
  nextUpdate: atOrNull("Until when its answer is valid"),
});

const waits = z.object({
  count: count("How many certificates were measured"),
  medianSeconds: secondsOrNull("Half of them were issued within this time"),
  p90Seconds: secondsOrNull("Nine of ten were issued within this time"),
});

const event = z.object({
  id: z.number().int(),
  kind: z.enum(["list", "delta-list", "responder", "audit", "down"]),
  authority: z.string().describe("The name of the CA; empty when it is about no CA"),
  title: z.string(),
  begunAt: at("When it began"),
  endedAt: atOrNull("When it ended"),
});

/** The public status, as `/status.json` and the JSON call answer it. It contains no data of companies and people. */
export const statusSchema = z.object({
  state: z
    .enum(["fresh", "attention", "unmeasured"])
    .describe("Everything is on time, something is not, or the portal has not measured itself for ten minutes"),
  problems: z.array(z.string()).describe("What is not on time, in sentences"),
  readAt: at("When this was read"),
  measuredAt: atOrNull("When the portal last measured itself"),
  lists: z.array(list).describe("The CRLs that are published now"),
  responders: z.array(responder).describe("The OCSP answers of each issuing CA about its responder’s own certificate"),
  revocations: z
    .object({
      count: count(`How many revocations of the last ${REVOCATION_DAYS} days were measured, 1,000 at most`),
      medianSeconds: secondsOrNull("Half of them were published within this time after they were asked for"),
      p99Seconds: secondsOrNull("99 of 100 were published within this time"),
      longestSeconds: secondsOrNull("The longest time"),
      lastAt: atOrNull("When the last one was published"),
      waiting: count("How many have waited for more than a minute"),
      waitingSince: atOrNull("When the oldest of them was asked for"),
    })
    .nullable(),
  audit: z
    .object({
      finishedAt: at("When the last nightly audit finished"),
      certificates: count("How many certificates in force it compared"),
      contradictions: count("In how many open findings database, CRLs and OCSP contradict each other"),
      others: count("How many other findings are open"),
    })
    .nullable(),
  orders: z
    .object({
      byStaff: waits.describe(`Certificates of the last ${ORDERS_DAYS} days whose orders staff checked`),
      standing: waits.describe(`Certificates of the last ${ORDERS_DAYS} days under standing authorisations`),
      waiting: count("How many orders wait now"),
      oldestAt: atOrNull("When the oldest of them was placed"),
    })
    .nullable(),
  uptime: z
    .object({
      since: atOrNull("Since when the portal records its uptime"),
      months: z.array(
        z.object({
          month: z.string().describe("`YYYY-MM`"),
          percent: z.number().describe("How much of the month the portal was up, rounded down"),
          downSeconds: seconds("How long it was down"),
          interruptions: count("How often"),
        }),
      ),
    })
    .nullable(),
  events: z.array(event).describe("The latest events, the last one first, 50 at most"),
});

export type PortalStatus = z.infer<typeof statusSchema>;
export type PublishedList = PortalStatus["lists"][number];
export type PublishedAnswers = PortalStatus["responders"][number];
