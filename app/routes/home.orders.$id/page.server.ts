import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { remindOwnContact } from "~/domain/certificates/queue/contact-change.service.server";
import { findOwnOrder } from "~/domain/orders/own/own-order.service.server";
import { leadElsewhere } from "~/http/elsewhere.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { notFound, isPortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const id = readId(params.id);
  await leadElsewhere(request, user, `order.${id}`, paths.orders);
  const order = await findOwnOrder(user, id);
  if (!order) throw notFound();
  return json(order);
}

/** Asks the authentication contact again. */
export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request, "place-orders");
  const id = readId(params.id);
  await readForm(request);
  try {
    const text = `The message to ${await remindOwnContact(user, id)} is on its way.`;
    return await redirectWithToast(request, paths.order(id), { kind: "ok", text });
  } catch (error) {
    if (!isPortalError(error) || error.status !== 409) throw error;
    return redirectWithToast(request, paths.order(id), { kind: "warn", text: error.message });
  }
}
