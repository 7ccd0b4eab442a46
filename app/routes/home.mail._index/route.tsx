import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { CsrfField } from "~/components/forms/csrf-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { ListToolbar } from "~/components/lists/list-toolbar";
import { Pagination } from "~/components/lists/pagination";
import { RowActions } from "~/components/lists/row-actions";
import { MailStateFilter } from "~/components/mail/queue-filter";
import { QueueTable } from "~/components/mail/queue-table";
import { pageTitle } from "~/components/shell/page-title";
import { LinkButton } from "~/components/ui/buttons";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { PageHeader } from "~/components/ui/page-header";
import { mailQueueList, type MailQueueState } from "~/domain/mail/mail-queue-list";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";
import { type loader, type ChosenMessages, type Answer } from "./page.server";

export { action, loader } from "./page.server";

const FORM = "mail-queue";
const TABLE = "mail-queue-table";

export default function MailQueue() {
  const { rows, total, pages, params, mayChange } = useLoaderData<typeof loader>();
  const answer = useActionData<Answer>();
  const kept = mailQueueList.query(params, { page: 1, size: 10, search: "" });
  return (
    <ConfirmStep
      asked={answer?.asked}
      title="Dismiss messages"
      question="Are you sure you wish to dismiss these messages? They are never sent, and this process cannot be reversed."
      confirmLabel="Dismiss"
      cancelTo={mailQueueList.href(params)}
      details={<MessageList messages={answer?.messages ?? []} />}
    >
      <div className="stack-l">
        <ErrorSummary errors={answer?.problem ? [{ message: answer.problem, href: `#${TABLE}` }] : []} />
        <PageHeader
          title="Email"
          back={{ to: paths.dashboard, label: "Back" }}
          actions={<LinkButton to={staffPaths.mailTemplates}>Message templates</LinkButton>}
        >
          <p>
            Messages that wait to be sent. Failing ones are tried again by themselves; what a mail server refused for
            good is rejected until it is sent again or dismissed. Held ones are sent by themselves as soon as the
            customer&apos;s email address is confirmed, or a contact who wanted no more messages gets them again.
          </p>
        </PageHeader>
        <ListToolbar search={params.search} searchHint="A part of the email address" size={params.size} keep={kept} />
        <MailStateFilter params={params} />
        <Form method="post" id={FORM} className="stack-l">
          <CsrfField />
          <QueueTable id={TABLE} rows={rows} total={total} params={params} selected={answer?.chosen ?? []} />
          <Pagination
            page={params.page}
            pages={pages}
            href={(page) => mailQueueList.href(params, { page })}
            label="Email pages"
          />
          <RowActions
            formId={FORM}
            name="id"
            actions={mayChange ? ACTIONS : []}
            reasons={Object.fromEntries(rows.map(({ id, state }) => [id, REASONS[state]]))}
            back={{ to: paths.dashboard, label: "Back" }}
          />
        </Form>
      </div>
    </ConfirmStep>
  );
}

const ACTIONS = [
  { intent: "send-again", label: "Send again" },
  { intent: "dismiss", label: "Dismiss" },
];

const STILL_TRIED = { dismiss: "the portal still tries a message that is neither rejected nor held" };

/** Why an action is not possible for a message in this state. */
const REASONS: Record<MailQueueState, Record<string, string>> = {
  Waiting: STILL_TRIED,
  Failing: STILL_TRIED,
  Held: { "send-again": "a held message is sent by itself" },
  Rejected: {},
};

const MessageList = ({ messages }: { messages: ChosenMessages }) => (
  <ul>
    {messages.map(({ id, name }) => (
      <li key={id}>
        <bdi>{name}</bdi>
      </li>
    ))}
  </ul>
);

export const meta = pageTitle("Email");
