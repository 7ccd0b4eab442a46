import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ErrorSummary } from "~/components/forms/error-summary";
import { namedMessage } from "~/components/forms/field-label";
import { fieldId } from "~/components/forms/form-id";
import { Pagination } from "~/components/lists/pagination";
import { RowsForm } from "~/components/lists/rows-form";
import { EVENT_FORM, EVENT_LABELS, EventForm } from "~/components/security-events/event-form";
import { EventTable } from "~/components/security-events/event-table";
import { pageTitle } from "~/components/shell/page-title";
import { DownloadLink } from "~/components/ui/download-link";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { securityEventList } from "~/domain/security-events/list";
import { loadSecurityEvents } from "~/domain/security-events/list.service.server";
import { requireUser } from "~/http/guard.server";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";

export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request, "see-security-events");
  const events = await loadSecurityEvents(securityEventList.read(new URL(request.url).searchParams));
  return json(events, { status: Object.keys(events.errors).length > 0 ? 422 : 200 });
}

export default function SecurityEvents() {
  const { rows, total, hasMore, pages, params, errors } = useLoaderData<typeof loader>();
  const summary = (["user", "address", "from", "to"] as const).flatMap((name) => {
    const message = errors[name];
    return message
      ? [{ message: namedMessage(EVENT_LABELS[name], message), href: `#${fieldId(EVENT_FORM, name)}` }]
      : [];
  });
  return (
    <div className="stack-l">
      <ErrorSummary formId={EVENT_FORM} errors={summary} />
      <PageHeader title="Security events" back={{ to: paths.dashboard, label: "Back" }}>
        <p>Logins, refused requests, locks, rights and acting as a user, with the client's address.</p>
      </PageHeader>
      <EventForm params={params} errors={errors} keep={securityEventList.order(params)} />
      {hasMore && (
        <Note title={`More than ${total} events were found.`}>
          <p>Only {total} of them are listed. Narrow the search or shorten the period to find the others.</p>
        </Note>
      )}
      <div className="row">
        <RowsForm size={params.size} keep={securityEventList.query(params, { page: 1, size: 10 })} />
        {total > 0 && (
          <DownloadLink
            className="btn"
            href={securityEventList.addTo(staffPaths.securityEventsFile, params, { page: 1 })}
          >
            Export to CSV
          </DownloadLink>
        )}
      </div>
      <EventTable rows={rows} total={total} params={params} />
      <Pagination
        page={params.page}
        pages={pages}
        href={(page) => securityEventList.href(params, { page })}
        label="Security events pages"
      />
    </div>
  );
}

export const meta = pageTitle("Security events");
