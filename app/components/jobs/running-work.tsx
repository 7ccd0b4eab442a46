import { type LongWorkKind, WORK_KINDS } from "~/domain/jobs/long-work";
import { Time } from "../ui/time";

interface Props {
  kind: LongWorkKind;
  total: number | null;
  done: number;
  beganAt: string;
  /** Who began it, when it is somebody else than the reader. */
  startedBy: string | null;
}

/** How far long work is, and since when it runs. */
export function RunningWork({ kind, total, done, beganAt, startedBy }: Props) {
  const { unit } = WORK_KINDS[kind];
  return (
    <div className="stack">
      {total !== null && unit !== null && (
        <p>
          <progress className="work-done" value={done} max={total} aria-label={`Done ${unit}`} /> {done} of {total}{" "}
          {unit}
        </p>
      )}
      <p>
        Running since <Time value={beganAt} withTime />
        {startedBy !== null && `, started by ${startedBy}`}.
      </p>
      <p>
        This page shows by itself how far it is, and what came of it at the end. You can leave it: the work goes on, and
        the address of this page shows the same for a day.
      </p>
    </div>
  );
}
