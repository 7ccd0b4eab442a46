import { Form, Link } from "@remix-run/react";
import { type OwnTask } from "~/domain/homepage/own-tasks.server";
import { type OwnWork } from "~/domain/homepage/own-work.service.server";
import { paths } from "~/lib/paths";
import { CsrfField } from "../forms/csrf-field";
import { DiscardForm } from "../purchase/discard-form";
import { LinkButton, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { DownloadLink } from "../ui/download-link";
import { Time } from "../ui/time";

/** How much the company has, each with a link to its list. */
export const OwnCounts = ({ counts }: { counts: OwnWork["counts"] }) => (
  <ul className="counts" role="list" aria-label="Your certificates and invoices">
    {counts.map(({ label, count, to, hint, isUrgent }) => (
      <li key={label} className={isUrgent ? "urgent" : undefined}>
        <strong>{count}</strong>
        <Link to={to}>{label}</Link>
        <span className="hint">{hint}</span>
      </li>
    ))}
  </ul>
);

/** The one act that does a task. The first one of the list is the primary button. */
function TaskAction({ action, isFirst }: { action: NonNullable<OwnTask["action"]>; isFirst: boolean }) {
  const { label, of, kind, id, to = "" } = action;
  const text = (
    <>
      {label}
      <span className="vh"> {of}</span>
    </>
  );
  if (kind === "renew")
    return (
      <Form method="post" action={paths.certificates}>
        <CsrfField />
        <input type="hidden" name="id" value={id} />
        <SubmitButton intent="renew" variant={isFirst ? "primary" : "secondary"}>
          {text}
        </SubmitButton>
      </Form>
    );
  if (kind === "file")
    return (
      <DownloadLink className={isFirst ? "btn primary" : "btn"} href={to}>
        {text}
      </DownloadLink>
    );
  return (
    <LinkButton to={to} variant={isFirst ? "primary" : "secondary"} reloadDocument={kind === "resume"}>
      {text}
    </LinkButton>
  );
}

/** What the user should do next, each with the button that does it. */
export const NextTasks = ({ tasks }: { tasks: OwnWork["tasks"] }) => (
  <Card title="What to do next">
    {tasks.length === 0 && <p>Nothing needs to be done now.</p>}
    {tasks.length > 0 && (
      <ul className="tasks" role="list">
        {tasks.map(({ key, about, to, text, hint, action, draft }, index) => (
          <li key={key}>
            <div>
              <p>
                <strong>
                  <bdi>{to === null ? about : <Link to={to}>{about}</Link>}</bdi> {text}
                </strong>
              </p>
              <p className="hint">{hint}</p>
            </div>
            {action && <TaskAction action={action} isFirst={index === 0} />}
            {draft && <DiscardForm {...draft} what={about} />}
          </li>
        ))}
      </ul>
    )}
  </Card>
);

/** The latest events of the company's certificates. */
export const RecentEvents = ({ events }: { events: OwnWork["events"] }) =>
  events.length > 0 && (
    <Card title="Recent events" actions={<Link to={paths.orders}>All orders</Link>}>
      <ol className="log" role="list">
        {events.map(({ at, before, commonName, after, order, to }) => (
          <li key={`${at} ${to} ${after}`}>
            <Time value={at} withTime toMinute />
            <div>
              <bdi>{before}</bdi> <bdi>{commonName}</bdi> {after}{" "}
              <span className="nowrap">
                (<Link to={to}>{order}</Link>).
              </span>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
