import { type DoneBy, doerName, salesOrderer } from "~/domain/companies/people.server";
import { type MailStep } from "~/domain/mail/parts";
import { type DbOrTrx, type Trx } from "~db/connection.server";
import { findOrderPlacer } from "~db/repositories/audit-entries.server";
import { findOrder, type OrderRow } from "~db/repositories/orders.server";
import { findUserById, type UserRow } from "~db/repositories/users.server";
import { mailSteps, type ProgressStep, type StepFacts, withStates } from "./progress.policy";

function orderedText({ isMaintenance }: OrderRow, person: UserRow | null, placedBy: DoneBy | null): string {
  if (!person) return "";
  return `by ${isMaintenance ? salesOrderer({ ...person, isMaintenance }) : doerName(person, placedBy)}`;
}

/** Returns the steps of an order of codes. `placedBy` is as for `progressForMail`. */
export async function codeProgress(db: DbOrTrx, order: OrderRow, placedBy?: DoneBy | null): Promise<ProgressStep[]> {
  const person = await findUserById(db, order.userId);
  const by = placedBy === undefined ? await findOrderPlacer(db, order.id) : placedBy;
  const isPaid = order.status === "Paid";
  const facts: StepFacts[] = [
    {
      name: "ordered",
      title: "Ordered",
      isDone: true,
      at: order.createdAt,
      text: orderedText(order, person, by),
    },
    {
      name: "invoiced",
      title: "Invoiced",
      isDone: isPaid || order.status === "Invoiced",
      at: order.invoiceDate,
      text: order.status === "Open" ? "The invoice follows by email." : "",
    },
    {
      name: "paid",
      title: "Paid",
      isDone: isPaid,
      at: order.paymentDate,
      text: isPaid || order.isMaintenance ? "" : "After the payment you register the codes.",
    },
  ];
  if (order.status !== "Cancelled") return withStates(facts);
  const ended: ProgressStep = { name: "paid", title: "Cancelled", state: "ended", at: null, text: "" };
  return [...withStates(facts).filter(({ state }) => state === "done"), ended];
}

/** Returns the steps of an order of codes for a message about it. */
export async function codeProgressForMail(trx: Trx, orderId: number, placedBy?: DoneBy | null): Promise<MailStep[]> {
  const order = await findOrder(trx, orderId);
  return order ? mailSteps(await codeProgress(trx, order, placedBy)) : [];
}
