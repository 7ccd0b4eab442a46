import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { PackForm, PackPlanNote, packSummary } from "~/components/evidence/pack-form";
import { ErrorSummary } from "~/components/forms/error-summary";
import { pageTitle } from "~/components/shell/page-title";
import { PageHeader } from "~/components/ui/page-header";
import { readPackQuery } from "~/domain/evidence/pack-query";
import { planPack } from "~/domain/evidence/pack.service.server";
import { requireUser } from "~/http/guard.server";
import { staffPaths } from "~/lib/staff-paths";

export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request, "see-evidence");
  const page = await planPack(readPackQuery(new URL(request.url).searchParams));
  return json(page, { status: Object.keys(page.errors).length > 0 ? 422 : 200 });
}

export default function EvidencePacks() {
  const { query, plan, errors, introduction, notes } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <ErrorSummary errors={packSummary(errors)} />
      <PageHeader title="Evidence packs" back={{ to: staffPaths.auditTrail, label: "Back to the audit trail" }}>
        {introduction}
      </PageHeader>
      {plan && <PackPlanNote plan={plan} />}
      <PackForm values={query} errors={errors} />
      <div className="stack">
        {notes.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
    </div>
  );
}

export const meta = pageTitle("Evidence packs");
