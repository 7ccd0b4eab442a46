import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { CsrfField } from "~/components/forms/csrf-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { Alerts } from "~/components/jobs/alerts";
import { JobsTable } from "~/components/jobs/job-table";
import { pageTitle } from "~/components/shell/page-title";
import { LinkButton } from "~/components/ui/buttons";
import { PageHeader } from "~/components/ui/page-header";
import { may } from "~/domain/accounts/rights.policy";
import { loadAlerts } from "~/domain/alerts/present.service.server";
import { runJobByHand } from "~/domain/jobs/by-hand.service.server";
import { loadJobs } from "~/domain/jobs/status.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { refused } from "~/http/responses.server";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";

const FORM = "jobs";

/** How long, in milliseconds, the answer waits for the job to end. */
const PATIENCE_MS = 10_000;

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-jobs");
  const [alerts, jobs] = await Promise.all([loadAlerts(), loadJobs()]);
  return json({ alerts, jobs, mayRun: may(user, "run-jobs") });
}

export async function action({ request }: ActionFunctionArgs) {
  const { actor } = await requireUser(request, "run-jobs");
  const job = (await readForm(request)).get("job");
  try {
    const text = await runJobByHand(typeof job === "string" ? job : "", actor, { within: PATIENCE_MS });
    return await redirectWithToast(request, staffPaths.jobs, { kind: "ok", text });
  } catch (error) {
    return refused(error, {}, FORM);
  }
}

export default function Jobs() {
  const { alerts, jobs, mayRun } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <ErrorSummary formId={FORM} />
      <PageHeader
        title="Jobs"
        back={{ to: paths.dashboard, label: "Back" }}
        actions={<LinkButton to={staffPaths.certificateAudit}>Certificate Audit</LinkButton>}
      >
        <p>What the portal does by itself. A job that fails is tried again at its next run.</p>
      </PageHeader>
      <Alerts {...alerts} />
      <Form method="post">
        <CsrfField />
        <JobsTable rows={jobs} mayRun={mayRun} />
      </Form>
    </div>
  );
}

export const meta = pageTitle("Jobs");
