import { Link } from "@remix-run/react";
import { type TrailListParams } from "~/domain/audit/trail-list";
import { type loadTrail } from "~/domain/audit/trail.service.server";
import { Note } from "../ui/note";

type Found = Pick<Awaited<ReturnType<typeof loadTrail>>, "total" | "hasMore" | "cut">;

interface Props extends Found {
  isLatestFirst: boolean;
  /** Returns the address of the list for another period. */
  at: (period: Partial<Pick<TrailListParams, "from" | "to">>) => string;
}

/** Says which entries a search of the audit trail has not listed or not read. */
export const TrailNotes = ({ total, hasMore, cut, isLatestFirst, at }: Props) => (
  <>
    {hasMore && (
      <Note title={`More than ${total} entries were found.`}>
        <p>Only {total} of them are listed. Narrow the search or shorten the period to find the others.</p>
      </Note>
    )}
    {cut && (
      <Note title="Not every entry was searched.">
        <p>
          Only the {isLatestFirst ? "latest" : "oldest"} {cut.searched.toLocaleString("en-GB")} entries of this period
          were searched.{" "}
          {cut.others ? (
            <Link to={at(cut.others)}>Search the {isLatestFirst ? "earlier" : "later"} ones</Link>
          ) : (
            "The others are of the same day: search for something else as well."
          )}
        </p>
      </Note>
    )}
  </>
);
