import { type HeadersFunction, json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { ApprovedOrders } from "~/components/certificates/approved-orders";
import { RunningWork } from "~/components/jobs/running-work";
import { pageTitle } from "~/components/shell/page-title";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { REFRESH_S, WORK_KINDS } from "~/domain/jobs/long-work";
import { loadLongWork } from "~/domain/jobs/long-work.service.server";
import { requireUser } from "~/http/guard.server";

const LIVE_MS = 1000;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-overview");
  const work = await loadLongWork(user, params.id ?? "");
  return json(work, { headers: work.state === "running" ? { Refresh: String(REFRESH_S) } : {} });
}

/** Without scripts, the browser loads the page again until the work has ended. */
export const headers: HeadersFunction = ({ loaderHeaders }) => {
  const headers = new Headers();
  const refresh = loaderHeaders.get("Refresh");
  if (refresh !== null) headers.set("Refresh", refresh);
  return headers;
};

/** Reads the page's data again every second while the work runs. */
function useLive(isRunning: boolean) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => document.hidden || revalidate(), LIVE_MS);
    return () => clearInterval(timer);
  }, [isRunning, revalidate]);
}

export default function LongWork() {
  const { kind, state, outcome, problem, next, ...progress } = useLoaderData<typeof loader>();
  const { title, whenLost } = WORK_KINDS[kind];
  useLive(state === "running");
  if (outcome && "approved" in outcome) return <ApprovedOrders {...outcome.approved} back={next} />;
  return (
    <div className="narrow stack-l">
      <PageHeader title={title} back={next} />
      {state === "running" && <RunningWork {...progress} kind={kind} />}
      {state === "lost" && (
        <Note tone="bad" title="The process that did this work has ended before the work was done.">
          <p>{whenLost}</p>
        </Note>
      )}
      {problem !== null && (
        <Note tone="bad" title="It was not done.">
          <p>{problem}</p>
        </Note>
      )}
      {outcome && <p role="status">{outcome.text}</p>}
    </div>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => (data ? WORK_KINDS[data.kind].title : "Progress"));
