import { z } from "zod";
import { ALERT_RULES } from "~/domain/alerts/catalogue.server";
import { loadAlerts } from "~/domain/alerts/present.service.server";
import { auditState, listOpen, MOST_FINDINGS } from "~/domain/certificate-audit/list.service.server";
import { AUDIT_RULES } from "~/domain/certificate-audit/rules";
import { MOST_IN_PACK, MOST_ENTRIES } from "~/domain/evidence/contents.server";
import { readPackQuery } from "~/domain/evidence/pack-query";
import { makePack } from "~/domain/evidence/pack.service.server";
import { MOST_DAYS } from "~/domain/evidence/scope.server";
import { streamedFile } from "~/http/files.server";
import { SEARCH_LIMIT } from "~/lib/list-params";
import { messages } from "~/lib/messages";
import { call, fileCall, group } from "../call";
import { TAKEN_DATES } from "../dates";
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

const packText = (meaning: string) => z.string().max(SEARCH_LIMIT, messages.outOfRange).describe(meaning);

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
  fileCall({
    path: "Operations/DownloadEvidencePack",
    method: "GET",
    who: "see-evidence",
    needsProof: true,
    summary: "Makes an evidence pack: orders, certificates and audit entries with what proves them",
    notes: `Either \`certificate\` or \`company\`, or a period with \`from\` and \`to\`, which can be added to either. A period alone has at most ${MOST_DAYS} days. A pack has at most ${MOST_ENTRIES} audit entries and ${MOST_IN_PACK} certificates. It can take a minute. Making it is recorded in the audit trail.`,
    refuses: { 409: "The audit trail is not sound (`audit.unsound`)" },
    input: z
      .object({
        certificate: packText("The ID or the serial number of a certificate"),
        company: packText("The number or the name of a company"),
        from: packText(`First day: ${TAKEN_DATES}`),
        to: packText(`Last day: ${TAKEN_DATES}`),
      })
      .partial()
      .strict(),
    output: {
      mediaTypes: ["application/zip"],
      description: "The archive. Its README.html says what is in it and how to verify each part.",
    },
    handle: async (query, { user }) =>
      streamedFile(await makePack(readPackQuery(new URLSearchParams(query)), user.actor)),
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
