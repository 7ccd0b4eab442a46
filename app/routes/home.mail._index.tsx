import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { LinkButton } from "~/components/buttons";
import { CsrfField } from "~/components/csrf-field";
import { ErrorSummary } from "~/components/error-summary";
import { ListToolbar } from "~/components/list-toolbar";
import { QueueFilter } from "~/components/mail/queue-filter";
import { QueueTable } from "~/components/mail/queue-table";
import { PageHeader } from "~/components/page-header";
import { pageTitle } from "~/components/page-title";
import { Pagination } from "~/components/pagination";
import { RowActions } from "~/components/row-actions";
import { mailQueue, queuePlace, readQueueParams } from "~/domain/mail/queue-list.params";
import { listMailQueue } from "~/domain/mail/queue-list.service.server";
import { sendAgain } from "~/domain/mail/send-again.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { isPortalError } from "~/lib/errors";
import { chosenIds } from "~/lib/list-params";
import { paths } from "~/lib/paths";

const FORM = "mail-queue";
const TABLE = "mail-queue-table";

const placeIn = (request: Request) => readQueueParams(new URL(request.url).searchParams);

export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request, "Admin");
  return json(await listMailQueue(placeIn(request)));
}

const doneText = (count: number) => {
  if (count === 0) return "The chosen messages have been sent meanwhile.";
  return count === 1 ? "One message is sent again now." : `${count} messages are sent again now.`;
};

export async function action({ request }: ActionFunctionArgs) {
  const { actor } = await requireUser(request, "Admin");
  const chosen = chosenIds((await readForm(request)).getAll("id"));
  try {
    const text = doneText(await sendAgain(chosen, actor));
    return await redirectWithToast(request, mailQueue(placeIn(request)), { kind: "ok", text });
  } catch (error) {
    if (!isPortalError(error)) throw error;
    return json({ problem: error.message, chosen: chosen.map(String) }, { status: error.status });
  }
}

export default function MailQueue() {
  const { rows, total, pages, params } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>();
  const kept = queuePlace({ ...params, page: 1, size: 10, search: "" });
  return (
    <div className="stack-l">
      <ErrorSummary errors={refusal ? [{ message: refusal.problem, href: `#${TABLE}` }] : []} />
      <PageHeader
        title="E-mail"
        back={{ to: paths.dashboard, label: "Back" }}
        actions={<LinkButton to={paths.mailTemplates}>Message Templates</LinkButton>}
      >
        <p>
          Messages that wait to be sent. Failing ones are tried again by themselves; what a mail server refused for good
          is rejected.
        </p>
      </PageHeader>
      <ListToolbar
        search={params.search}
        searchHint="A part of the e-mail address"
        size={params.size}
        keep={Object.fromEntries(kept)}
      />
      <QueueFilter params={params} />
      <Form method="post" id={FORM} className="stack-l">
        <CsrfField />
        <QueueTable id={TABLE} {...{ rows, total, params }} selected={refusal?.chosen ?? []} />
        <Pagination
          page={params.page}
          pages={pages}
          href={(page) => mailQueue(params, { page })}
          label="E-mail pages"
        />
        <RowActions
          formId={FORM}
          name="id"
          actions={[{ intent: "send-again", label: "Send again" }]}
          back={{ to: paths.dashboard, label: "Back" }}
        />
      </Form>
    </div>
  );
}

export const meta = pageTitle("E-mail");
