import { type BrokenRule, type ExplainedRule } from "~/lib/broken-rule";
import { Note } from "../ui/note";

/** Links to the section of the practice statement that has the rule, and to the standard behind it. */
const RuleLinks = ({ rule: { section, standard } }: { rule: Omit<ExplainedRule, "code"> }) => (
  <>
    <a href={section.url}>{section.text}</a>, <a href={standard.url}>{standard.text}</a>
  </>
);

/** Names the rules that a CSR breaks, below the message at its field, which says what is wrong and what to do. */
export function BrokenRulesNote({ rules }: { rules: readonly BrokenRule[] }) {
  if (rules.length === 0) return null;
  return (
    <Note tone="bad" title="Rules that the CSR breaks:">
      <ul>
        {rules.map((rule) => (
          <li key={rule.message}>
            {rule.title}: <RuleLinks rule={rule} />
          </li>
        ))}
      </ul>
    </Note>
  );
}
