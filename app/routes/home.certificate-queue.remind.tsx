import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { counted, joinedIds, readyColumns, RefusedOrders } from "~/components/certificates/approved-orders";
import { DataTable } from "~/components/lists/data-table";
import { pageTitle } from "~/components/shell/page-title";
import { LinkButton } from "~/components/ui/buttons";
import { ConfirmPanel } from "~/components/ui/confirm-panel";
import { PageHeader } from "~/components/ui/page-header";
import { checkReminders, remindContacts } from "~/domain/certificates/queue/contact-reminder.service.server";
import { selectionProblem } from "~/domain/certificates/queue/queue-fields";
import { LIST_FIELD } from "~/domain/certificates/queue/queue-list";
import { queueIn, selectedIds } from "~/domain/certificates/queue/queue-selection.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";

/** How many reasons the message after the act names. The page before it names all. */
const SHOWN_REASONS = 3;

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
  const others = refused.slice(0, SHOWN_REASONS).map(({ orderNumber, reason }) => `${orderNumber}: ${reason}`);
  const more = refused.length - others.length;
  const text = [
    `${counted(reminded.length, "contact")} ${reminded.length === 1 ? "is" : "are"} reminded by email.`,
    ...others,
    ...(more > 0 ? [`Nobody is reminded about ${counted(more, "other order")} either.`] : []),
  ].join(" ");
  return redirectWithToast(request, queueIn(list), { kind: reminded.length > 0 ? "ok" : "bad", text });
}

export default function RemindContacts() {
  const { ready, refused, list, queue } = useLoaderData<typeof loader>();
  const title = "Remind Contacts";
  const rest = <RefusedOrders caption="Orders whose contacts are not reminded" rows={refused} />;
  if (ready.length === 0)
    return (
      <div className="stack-l">
        <PageHeader title={title}>
          <p>None of the selected orders has a contact to remind.</p>
        </PageHeader>
        {rest}
        <LinkButton to={queue}>Back to the queue</LinkButton>
      </div>
    );
  return (
    <ConfirmPanel
      title={title}
      question={`Are you sure you wish to remind the ${ready.length === 1 ? "contact of this order" : `contacts of these ${ready.length} orders`} by email?`}
      confirmLabel="Remind"
      variant="primary"
      cancelTo={queue}
      fields={{ id: joinedIds(ready), [LIST_FIELD]: list ?? "" }}
    >
      <DataTable
        caption="Orders whose contacts are reminded"
        columns={readyColumns}
        rows={ready}
        rowKey={(row) => row.id}
      />
      {rest}
    </ConfirmPanel>
  );
}

export const meta = pageTitle("Remind Contacts");
