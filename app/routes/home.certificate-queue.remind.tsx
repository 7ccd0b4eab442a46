import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { counted } from "~/components/certificates/approved-orders";
import { AskAboutOrders } from "~/components/certificates/ask-about-orders";
import { pageTitle } from "~/components/shell/page-title";
import { checkReminders, remindContacts } from "~/domain/certificates/queue/contact-reminder.service.server";
import { selectionProblem } from "~/domain/certificates/queue/queue-fields";
import { LIST_FIELD } from "~/domain/certificates/queue/queue-list";
import { queueIn, selectedIds, withReasons } from "~/domain/certificates/queue/queue-selection.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "work-on-orders");
  const query = new URL(request.url).searchParams;
  const list = query.get(LIST_FIELD);
  const ids = selectedIds(query.getAll("id"));
  const problem = selectionProblem(ids);
  if (problem) return redirect(queueIn(list, problem));
  return json({ ...(await checkReminders(ids, user)), list, queue: queueIn(list) });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "work-on-orders");
  const submitted = await readForm(request);
  const list = submitted.get(LIST_FIELD);
  const ids = selectedIds(submitted.getAll("id"));
  const problem = selectionProblem(ids);
  if (problem) return redirect(queueIn(list, problem), 303);
  const { reminded, refused } = await remindContacts(ids, user);
  const done = `${counted(reminded.length, "contact")} ${reminded.length === 1 ? "is" : "are"} reminded by email.`;
  const text = withReasons(done, refused, (more) => `Nobody is reminded about ${counted(more, "other order")} either.`);
  return redirectWithToast(request, queueIn(list), { kind: reminded.length > 0 ? "ok" : "bad", text });
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
