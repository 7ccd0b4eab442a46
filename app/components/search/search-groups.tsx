import { Link } from "@remix-run/react";
import { SEARCH_KINDS, SHORTEST_WORD } from "~/domain/search/search-kinds";
import { type SearchGroup, type SearchResult } from "~/domain/search/search-result";
import { rarePaths } from "~/lib/rare-paths";
import { Card } from "../ui/card";
import { type Status, StatusBadge } from "../ui/status-badge";
import { Marked } from "./marked";

interface Props {
  text: string;
  leftOut: readonly string[];
  groups: readonly SearchGroup[];
}

/** The results by kind, or what to do when there are none. */
export function SearchGroups({ text, leftOut, groups }: Props) {
  const words = text.split(" ").filter((word) => !leftOut.includes(word));
  return (
    <div className="stack">
      {leftOut.length > 0 && (
        <p className="hint">
          Words of fewer than {SHORTEST_WORD} characters were left out: {leftOut.join(", ")}.
        </p>
      )}
      {groups.map((group) => (
        <Group key={group.kind} group={group} words={words} />
      ))}
      {groups.length === 0 && (
        <p>
          Nothing that you may see matches these words. Check their spelling, or enter fewer of them.{" "}
          <Link to={rarePaths.search()}>Clear search</Link>
        </p>
      )}
    </div>
  );
}

function Group({ group: { kind, results, total, hasMore, all }, words }: { group: SearchGroup; words: string[] }) {
  const [label, count] = [SEARCH_KINDS[kind], `${total}${hasMore ? "+" : ""}`];
  const isPart = all === null && total > results.length;
  return (
    <Card
      className="hits-card"
      title={
        <>
          {label} <span className="hint">{isPart ? `${results.length} of ${count}` : count}</span>
        </>
      }
      actions={
        all !== null && (
          <Link to={all}>
            All {count}
            <span className="vh"> {label}</span>
          </Link>
        )
      }
    >
      {isPart && <p className="hint">Enter more of the number to see the others.</p>}
      <ul className="hits" role="list">
        {results.map((result) => (
          <Hit key={result.href + result.title} result={result} words={words} />
        ))}
      </ul>
    </Card>
  );
}

function Hit({ result: { href, title, detail, status }, words }: { result: SearchResult; words: string[] }) {
  return (
    <li>
      <Link to={href}>
        <bdi>
          <Marked text={title} words={words} />
        </bdi>
      </Link>
      <span>
        <bdi>
          <Marked text={detail} words={words} />
        </bdi>
      </span>
      <span>{status !== undefined && <StatusBadge status={status as Status} />}</span>
    </li>
  );
}
