import { type BrokenRule, type ExplainedRule } from "~/lib/broken-rule";
import { Note } from "../ui/note";

type OfRule = { rule: ExplainedRule };

const TitleLink = ({ rule: { title, url } }: OfRule) => <a href={url}>{title}</a>;

/** Links to the section of the practice statement that has a rule, and to the standard behind it. */
const SourceLinks = ({ rule: { section, standard } }: OfRule) => (
  <>
    <a href={section.url}>{section.text}</a>, <a href={standard.url}>{standard.text}</a>
  </>
);

/** Links to a rule, to the section of the practice statement that has it, and to the standard behind it. */
export const RuleLinks = (of: OfRule) => (
  <>
    <TitleLink {...of} />, <SourceLinks {...of} />
  </>
);

/** What is wrong, an item for each rule, with the links of the rule. */
export const BrokenRuleList = ({ rules }: { rules: readonly BrokenRule[] }) => (
  <ul>
    {rules.map((rule) => (
      <li key={rule.message}>
        {rule.message} <RuleLinks rule={rule} />
      </li>
    ))}
  </ul>
);

/** Names the rules that a CSR breaks, below the message at its field, which says what is wrong and what to do. */
export function BrokenRulesNote({ rules }: { rules: readonly BrokenRule[] }) {
  if (rules.length === 0) return null;
  return (
    <Note tone="bad" title="Rules that the CSR breaks:">
      <ul>
        {[...new Map(rules.map((rule) => [rule.code, rule])).values()].map((rule) => (
          <li key={rule.code}>
            <RuleLinks rule={rule} />
          </li>
        ))}
      </ul>
    </Note>
  );
}

/** A note for each mark, which says what to look at. */
export const MarkNotes = ({ marks }: { marks: readonly BrokenRule[] }) => (
  <>
    {marks.map((rule) => (
      <Note key={rule.message} tone="warn" title={<TitleLink rule={rule} />}>
        <p>
          {rule.message} <SourceLinks rule={rule} />
        </p>
      </Note>
    ))}
  </>
);
