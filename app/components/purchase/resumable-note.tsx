import { Link } from "@remix-run/react";
import { Note } from "../ui/note";
import { Time } from "../ui/time";
import { type PurchaseWizard, stepPath } from "./wizard-texts";

interface Props {
  wizard: PurchaseWizard;
  draft: { id: string; updatedAt: string; isByStaff?: boolean };
}

/** What a customer is told about a draft in which staff have acted. */
export const BY_STAFF = "Staff acted for you in it: check the authentication contact and the CSR before you order.";

/** Links to another order of the same kind that is not complete. */
export const ResumableNote = ({ wizard, draft }: Props) => (
  <Note title="You have an order that is not complete.">
    <p>
      Last changed on <Time value={draft.updatedAt} withTime />. {draft.isByStaff && `${BY_STAFF} `}
      <Link to={stepPath(wizard, "contact-details", draft.id)} reloadDocument>
        Resume this order
      </Link>
    </p>
  </Note>
);
