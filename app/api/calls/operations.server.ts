import { z } from "zod";
import { ALERT_RULES } from "~/domain/alerts/catalogue.server";
import { loadAlerts } from "~/domain/alerts/present.service.server";
import { auditState, listOpen, MOST_FINDINGS } from "~/domain/certificate-audit/list.service.server";
import { AUDIT_RULES } from "~/domain/certificate-audit/rules";
import { call, group } from "../call";
import { nothing, toWireTimestamp, wireTimestamp } from "../wire";

const about = {
  name: z.string().describe(`Name of the rule, one of ${ALERT_RULES.map(({ name }) => `\`${name}\``).join(", ")}`),
  subject: z
    .string()
    .describe("What the alert is about, such as a CA or a job; empty when there is only one such thing"),
  title: z.string(),
  since: wireTimestamp(),
};

const alerts = z.object({
  present: z.array(
    z.object({
      ...about,
      severity: z.enum(["critical", "warning"]),
      detail: z.string().describe("What was found, such as the end of a CRL; may be empty"),
      text: z.string().describe("What it means and what to do"),
    }),
  ),
  past: z.array(z.object({ ...about, until: wireTimestamp() })).describe("Of the last seven days, the latest first"),
});

const findings = z.object({
  lastFinishedAt: wireTimestamp().describe("When the audit last finished"),
  checked: z.number().int().describe("The number of certificates that the last finished audit read"),
  open: z
    .array(
      z.object({
        rule: z.string().describe(
          `What is wrong, one of ${Object.keys(AUDIT_RULES)
            .map((name) => `\`${name}\``)
            .join(", ")}`,
        ),
        subject: z.string().describe("What it is about, such as `certificate 10001`"),
        certificateId: z.number().int().describe("0 when it is not about a certificate"),
        title: z.string(),
        cause: z.string().describe("What was found"),
        todo: z.string().describe("What to do"),
        firstSeenAt: wireTimestamp(),
        lastSeenAt: wireTimestamp(),
      }),
    )
    .describe(`The oldest first, at most ${MOST_FINDINGS}`),
});

export const operationsCalls = group("Operations", [
  call({
    path: "Operations/GetAlerts",
    method: "GET",
    who: "see-jobs",
    summary: "What is wrong with the portal itself now, and what was in the last seven days",
    input: nothing,
    output: alerts,
    handle: async () => {
      const { present, past } = await loadAlerts();
      return {
        present: present.map((alert) => ({ ...alert, since: toWireTimestamp(alert.since) })),
        past: past.map((alert) => ({
          ...alert,
          since: toWireTimestamp(alert.since),
          until: toWireTimestamp(alert.until),
        })),
      };
    },
  }),
  call({
    path: "Operations/GetAuditFindings",
    method: "GET",
    who: "see-audit-findings",
    summary: "What the nightly audit of certificates, CRLs, OCSP responders and CAs found",
    input: nothing,
    output: findings,
    handle: async () => {
      const [{ last }, open] = await Promise.all([auditState(), listOpen()]);
      return {
        lastFinishedAt: toWireTimestamp(last?.at ?? null),
        checked: last?.checked ?? 0,
        open: open.map(({ rule, subject, certificateId, title, cause, todo, firstSeenAt, lastSeenAt }) => ({
          rule,
          subject,
          title,
          cause,
          todo,
          certificateId: certificateId ?? 0,
          firstSeenAt: toWireTimestamp(firstSeenAt),
          lastSeenAt: toWireTimestamp(lastSeenAt),
        })),
      };
    },
  }),
]);
