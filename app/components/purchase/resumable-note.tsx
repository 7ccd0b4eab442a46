import { Link } from "@remix-run/react";
import { rarePaths } from "~/lib/rare-paths";
import { Note } from "../ui/note";
import { Time } from "../ui/time";
import { DiscardForm } from "./discard-form";
import { type PurchaseWizard, stepPath } from "./wizard-texts";

/** An order that is not complete. */
interface OpenOrder {
  /** What is ordered, and for whom. */
  what: string;
  /** When it was saved, an ISO 8601 timestamp. */
  updatedAt: string;
}

interface Props {
  wizard: PurchaseWizard;
  orders: readonly (OpenOrder & { id: string; isByStaff?: boolean; isHandedOver?: boolean })[];
  /** Whether each order has a button that discards it. The action of the page asks and does so. */
  canDiscard?: boolean;
}

/** What a customer is told about a draft in which staff have acted. */
export const BY_STAFF = "Staff acted for you in it: check the authentication contact and the CSR before you order.";

/** Names the other orders of the same kind that are not complete, each with a link. Shows nothing when there is none. */
export const ResumableNote = ({ wizard, orders, canDiscard = false }: Props) =>
  orders.length > 0 && (
    <Note
      title={
        orders.length === 1
          ? "You have an order that is not complete."
          : `You have ${orders.length} orders that are not complete.`
      }
    >
      <ul>
        {orders.map(({ id, what, updatedAt, isByStaff, isHandedOver }) => (
          <li key={id}>
            <bdi>{what}</bdi>. Last saved on <Time value={updatedAt} withTime />. {isByStaff && `${BY_STAFF} `}
            {isHandedOver && "It waits for an owner or purchaser of your company. "}
            <Link to={rarePaths.resumedOrder(stepPath(wizard, "contact-details", id))} reloadDocument>
              Resume this order<span className="vh">: {what}</span>
            </Link>
            {canDiscard && <DiscardForm wizard={wizard} id={id} what={what} />}
          </li>
        ))}
      </ul>
    </Note>
  );

/** Says which order was resumed. */
export const ResumedNote = ({ what, updatedAt }: OpenOrder) => (
  <Note title="You have resumed this order.">
    <p>
      <bdi>{what}</bdi>. Last saved on <Time value={updatedAt} withTime />. What you entered is kept: go through the
      steps and change what you need.
    </p>
  </Note>
);
