import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { counted } from "~/components/certificates/approved-orders";
import { AskAboutOrders } from "~/components/certificates/ask-about-orders";
import { pageTitle } from "~/components/shell/page-title";
import { REMIND_CONTACTS } from "~/domain/certificates/queue/contact-reminder.server";
import { queueIn, readSelection, withReasons } from "~/domain/certificates/queue/queue-selection.server";
import { actOnSelectedOrders, checkSelectedOrders } from "~/domain/certificates/queue/selected-orders.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "work-on-orders");
  const { list, ids, back } = readSelection(new URL(request.url).searchParams);
  if (back) return redirect(back);
  return json({ ...(await checkSelectedOrders(REMIND_CONTACTS, ids, user)), list, queue: queueIn(list) });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "work-on-orders");
  const { list, ids, back } = readSelection(await readForm(request));
  if (back) return redirect(back, 303);
  const { ready, refused } = await actOnSelectedOrders(REMIND_CONTACTS, ids, user);
  const done = `${counted(ready.length, "contact")} ${ready.length === 1 ? "is" : "are"} reminded by email.`;
  const text = withReasons(done, refused, (more) => `Nobody is reminded about ${counted(more, "other order")} either.`);
  return redirectWithToast(request, queueIn(list), { kind: ready.length > 0 ? "ok" : "bad", text });
}

export default function RemindContacts() {
  const asked = useLoaderData<typeof loader>();
  const contacts =
    asked.ready.length === 1 ? "contact of this order" : `contacts of these ${asked.ready.length} orders`;
  return (
    <AskAboutOrders
      {...asked}
      title="Remind Contacts"
      none="None of the selected orders has a contact to remind."
      question={`Are you sure you wish to remind the ${contacts} by email?`}
      confirmLabel="Remind"
      captions={{ ready: "Orders whose contacts are reminded", refused: "Orders whose contacts are not reminded" }}
    />
  );
}

export const meta = pageTitle("Remind Contacts");
