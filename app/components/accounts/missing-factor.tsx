import { paths } from "~/lib/paths";
import { LinkButton } from "../ui/buttons";
import { Note } from "../ui/note";
import { Time } from "../ui/time";

interface Props {
  /** Until when staff may go on without a second factor. */
  dueAt: string;
  isOverdue: boolean;
  /** Whether the notice links to the page where a factor is added. */
  hasLink?: boolean;
}

/** Asks staff to add a second factor, and says until when they may go on without one. */
export const MissingFactor = ({ dueAt, isOverdue, hasLink = false }: Props) => (
  <Note tone="warn" title="Please add a second factor.">
    <div className="row spread">
      {isOverdue ? (
        <p>Staff of this portal log in with a second factor. You can go on as soon as you have added one.</p>
      ) : (
        <p>
          Staff of this portal log in with a second factor. You can go on without one until{" "}
          <Time value={dueAt} withTime />.
        </p>
      )}
      {hasLink && (
        <LinkButton to={paths.secondFactors()} small>
          Add a second factor
        </LinkButton>
      )}
    </div>
  </Note>
);
