import { Link } from "@remix-run/react";

interface Props {
  /** What was searched for, or the texts of the fields of a search. */
  search?: string | readonly string[];
  /** The address of the whole list, or null when neither a search nor a filter restricts it. */
  all: string | null;
  /** What the list has, such as 'certificates', where a filter can restrict it without a search. */
  things?: string;
  /** What belongs in the list. */
  children?: React.ReactNode;
}

/** What an empty list says: that nothing matches, with a link to the whole list, or what belongs in it. */
export function NoRecords({ search = "", all, things, children }: Props) {
  const text = [search].flat().filter(Boolean).join(", ");
  if (all === null) return <p>No records found{children && <>. {children}</>}</p>;
  return (
    <p>
      No records found
      {text !== "" && (
        <>
          {" for "}
          <bdi>{text}</bdi>
        </>
      )}
      . <Link to={all}>{text === "" && things ? `Show all ${things}` : "Clear search"}</Link>
    </p>
  );
}
