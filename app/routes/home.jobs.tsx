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
import { answerLongWork } from "~/http/long-work.server";
import { refused } from "~/http/responses.server";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";

const FORM = "jobs";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-jobs");
  const [alerts, jobs] = await Promise.all([loadAlerts(), loadJobs()]);
  return json({ alerts, jobs, mayRun: may(user, "run-jobs") });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "run-jobs");
  const job = (await readForm(request)).get("job");
  const toOutcome = (text: string) => ({ kind: "ok", text }) as const;
  const work = {
    kind: "job",
    next: { to: staffPaths.jobs, label: "Jobs" },
    run: () => runJobByHand(typeof job === "string" ? job : "", user.actor),
    toOutcome,
  } as const;
  try {
    return await answerLongWork(user, work, (text) => redirectWithToast(request, staffPaths.jobs, toOutcome(text)));
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
        actions={<LinkButton to={staffPaths.certificateAudit}>Certificate audit</LinkButton>}
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
