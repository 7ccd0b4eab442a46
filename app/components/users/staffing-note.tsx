import { Note } from "../ui/note";

/** Says which people a portal in the strict mode of the four-eyes principle lacks. Shown only when some are missing. */
export function StaffingNote({ missing }: { missing: readonly string[] }) {
  if (missing.length === 0) return null;
  return (
    <Note tone="warn" title="People are missing for the strict four-eyes principle">
      <ul>
        {missing.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Note>
  );
}
