import { type loadTrail } from "~/domain/audit/trail.service.server";
import { Note } from "../ui/note";
import { Time } from "../ui/time";

type Verified = Awaited<ReturnType<typeof loadTrail>>["verified"];

function Sentence({ what, run: { at, result } }: { what: string; run: Verified["latest"] }) {
  return (
    <p>
      {what}: {at === null ? "not verified yet" : <Time value={at} withTime />}
      {result !== null && ` (${result})`}
    </p>
  );
}

/** Shows when the audit trail was last verified, and the result. */
export function TrailState({ verified: { latest, whole } }: { verified: Verified }) {
  const errors = [...new Set([latest.error, whole.error])].filter((error) => error !== null);
  return (
    <>
      {errors.length > 0 && (
        <Note tone="bad" title="The audit trail could not be verified.">
          {errors.map((error) => (
            <p key={error}>{error}</p>
          ))}
        </Note>
      )}
      <Note title="Last verified">
        <Sentence what="Latest entries" run={latest} />
        <Sentence what="Whole trail" run={whole} />
      </Note>
    </>
  );
}
