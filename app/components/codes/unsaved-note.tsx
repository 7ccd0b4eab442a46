import { Link } from "@remix-run/react";
import { type CodePage } from "~/domain/codes/code-page.server";
import { paths } from "~/lib/paths";
import { Note } from "../ui/note";
import { Time } from "../ui/time";

interface Props {
  code: CodePage["code"];
  unsaved: NonNullable<CodePage["unsaved"]>;
  from: { from?: string };
}

/** Says that the user left the same form before saving it. Its values are kept for some days. */
export const UnsavedNote = ({ code, unsaved, from }: Props) => (
  <Note
    title={
      code
        ? "You have contacts of this code that are not saved."
        : "You have begun such a registration and not saved it."
    }
  >
    <p>
      Last changed on <Time value={unsaved.updatedAt} withTime />.{" "}
      <Link to={paths.codeDetails({ draft: unsaved.id, ...from })} reloadDocument>
        {code ? "Continue with them" : "Resume it"}
      </Link>
    </p>
  </Note>
);
