import { Link } from "@remix-run/react";
import { Note } from "../ui/note";
import { Time } from "../ui/time";
import { type PurchaseWizard, stepPath } from "./wizard-texts";

interface Props {
  wizard: PurchaseWizard;
  draft: { id: string; updatedAt: string };
}

/** Links to another order of the same kind that is not complete. */
export const ResumableNote = ({ wizard, draft }: Props) => (
  <Note title="You have an order that is not complete.">
    <p>
      Last changed on <Time value={draft.updatedAt} withTime />.{" "}
      <Link to={stepPath(wizard, "contact-details", draft.id)} reloadDocument>
        Resume this order
      </Link>
    </p>
  </Note>
);
