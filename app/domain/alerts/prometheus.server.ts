import { ALERT_RULES } from "./catalogue.server";
import { type AlertRule, expressionOf, sentencesOf } from "./rule.policy";
import { BEGINS_AFTER_MS, ENDS_AFTER_MS } from "./times";

const minutes = (ms: number) => `${ms / 60_000}m`;

const alertName = ({ name }: AlertRule) =>
  `Marque${name.replace(/(^|-)([a-z])/g, (_, _dash, letter: string) => letter.toUpperCase())}`;

/**
 * Returns the template of a label's value. Prometheus renames the label `job` of a metric to `exported_job`, because it adds one of its own,
 * unless it is told to honour the labels.
 */
const labelValue = (label: string) =>
  label === "job" ? "{{ or $labels.exported_job $labels.job }}" : `{{ $labels.${label} }}`;

/** Writes a text of one line as a scalar of YAML, in the quotes that need no escapes. */
const scalar = (text: string) => (text.includes('"') ? `'${text.replaceAll("'", "''")}'` : `"${text}"`);

const ruleText = (rule: AlertRule): string => `\
      - alert: ${alertName(rule)}
        expr: ${scalar(expressionOf(rule))}
        for: ${minutes(BEGINS_AFTER_MS)}
        keep_firing_for: ${minutes(ENDS_AFTER_MS)}
        labels:
          severity: ${rule.severity}
        annotations:
          summary: ${scalar(rule.title(rule.subject ? labelValue(rule.subject) : ""))}
          description: ${scalar(sentencesOf(rule))}
`;

/** Returns the rules as a rule file of Prometheus 2.42 or later. */
export const prometheusRules = (): string => `\
# The alerts of the portal (docs/operations.md, 'Alerts'), for Prometheus 2.42 or later.
# Made by 'npm run -s portal -- alerts rules': change app/domain/alerts/catalogue.server.ts instead.
groups:
  - name: marque
    rules:
${ALERT_RULES.map(ruleText).join("")}`;
