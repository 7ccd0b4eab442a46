import { z } from "zod";
import { ALERT_RULES } from "~/domain/alerts/catalogue.server";
import { loadAlerts } from "~/domain/alerts/present.service.server";
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
]);
