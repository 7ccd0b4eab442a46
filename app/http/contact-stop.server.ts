import { type Actor } from "~/domain/audit/audit.service.server";
import { allowContact } from "~/domain/mail/contact-stop.service.server";
import { redirectWithToast } from "./flash.server";

/** Allows messages to a contact of an order again, and goes back to the order's page. */
export async function allowMessages(
  request: Request,
  { to, actor, ...contact }: { email: string; orderId: number; actor: Actor; to: string },
): Promise<Response> {
  const text = (await allowContact(contact, actor))
    ? `Messages to ${contact.email} are allowed again.`
    : `Messages to ${contact.email} were not stopped.`;
  return redirectWithToast(request, to, { kind: "ok", text });
}
