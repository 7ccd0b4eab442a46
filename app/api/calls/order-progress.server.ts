import { z } from "zod";
import { getCertificateOfOrder } from "~/domain/certificates/catalogue/of-order.service.server";
import { contactSchemaFor } from "~/domain/certificates/purchase/contact.schema";
import {
  changeContact,
  contactRulesOf,
  remindOwnContact,
} from "~/domain/certificates/queue/contact-change.service.server";
import { certificateProgress } from "~/domain/orders/own/certificate-progress.server";
import { STEP_STATES } from "~/domain/orders/own/progress.policy";
import { call, group } from "../call";
import { atFields, check } from "../check";
import { toContactForm, wireContact } from "../contact";
import { id, queryId, toWireTimestamp, wireTimestamp } from "../wire";
import { FIELDS } from "./certificate-purchase.server";

const step = z.object({
  step: z.enum(["ordered", "email", "contact", "organisation", "csr", "issued"]),
  title: z.string(),
  state: z
    .enum(STEP_STATES)
    .describe("`current` is the first step that is not done; `ended` is one with which the order ended"),
  date: wireTimestamp().describe("When it was done"),
  text: z.string().describe("What was done, or what the step waits for"),
});

const NO_ORDER = "There is no such order of a certificate, or it is somebody else's";
const NOT_NOW = "The order is decided, its contact has answered, or the contact was asked within the last 24 hours";

/** The calls with which a customer follows a pending order. */
export const orderProgressCalls = group("Certificates", [
  call({
    path: "certificates/GetOrderProgress",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "How far an order has come",
    notes:
      "The steps in their order, as the page of the order shows them. An order that ended without a certificate has the steps that were done and the end.",
    refuses: { 404: NO_ORDER },
    input: z.object({ orderId: queryId() }).strict(),
    output: z.array(step),
    handle: async ({ orderId }, { user }) =>
      (await certificateProgress(user, await getCertificateOfOrder(user, orderId))).flatMap(
        ({ name, title, state, at, text }) =>
          name === "invoiced" || name === "paid" ? [] : [{ step: name, title, state, date: toWireTimestamp(at), text }],
      ),
  }),
  call({
    path: "certificates/RemindContact",
    method: "POST",
    who: "place-orders",
    clients: "write",
    summary: "Asks the authentication contact of a pending order again",
    notes: "At most once in 24 hours. Earlier links stay valid.",
    refuses: { 404: NO_ORDER, 409: NOT_NOW },
    input: z.object({ orderId: id() }).strict(),
    output: z.object({ email: z.string().describe("The address to which the message goes") }),
    handle: async ({ orderId }, { user }) => ({ email: await remindOwnContact(user, orderId) }),
  }),
  call({
    path: "certificates/ChangeContact",
    method: "POST",
    who: "place-orders",
    clients: "write",
    summary: "Names another authentication contact for a pending order",
    notes:
      "The rules are those of an order. Another email address gets a message with a link, and the link of the present contact ends. The checks of staff stay. A contact can be changed 5 times within 24 hours. The present contact, sent again, changes nothing.",
    refuses: {
      404: NO_ORDER,
      409: "The order is decided, or its contact has answered",
    },
    input: z.object({ orderId: id(), authenticationContact: wireContact }).strict(),
    output: z.object({ email: z.string().describe("The address of the contact now") }),
    handle: ({ orderId, ...sent }, { user }) =>
      atFields(FIELDS, async () => {
        const schema = z.object({ authenticationContact: contactSchemaFor(await contactRulesOf(user, orderId)) });
        const form = { authenticationContact: toContactForm(sent.authenticationContact) };
        const { authenticationContact: contact } = check(schema, form, { country: "countryId" });
        await changeContact(user, orderId, contact);
        return { email: contact.email };
      }),
  }),
]);
