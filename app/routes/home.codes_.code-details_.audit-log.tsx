import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { AuditLogTable } from "~/components/codes/audit-log-table";
import { Pagination } from "~/components/lists/pagination";
import { pageTitle } from "~/components/shell/page-title";
import { PageHeader } from "~/components/ui/page-header";
import { auditLogList } from "~/domain/codes/audit-log-list";
import { loadAuditLog } from "~/domain/codes/audit-log.service.server";
import { requireUser } from "~/http/guard.server";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import { cameFrom } from "./home.codes_.code-details/came-from";

export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request, "see-customers");
  const { searchParams } = new URL(request.url);
  const codeId = readId(searchParams.get("code") ?? undefined);
  const log = await loadAuditLog(codeId, auditLogList.read(searchParams));
  return json({ ...log, from: cameFrom(request) });
}

export default function CodeAuditLog() {
  const { code, rows, total, pages, params, from } = useLoaderData<typeof loader>();
  const log = rarePaths.codeAuditLog(code?.id ?? 0, from.from);
  const at = (change: Partial<typeof params>) => auditLogList.addTo(log, params, change);
  const back = code ? paths.codeDetails({ code: code.id, ...from }) : paths.codes;
  return (
    <div className="stack-l">
      <PageHeader title={code ? `Audit Log of ${code.name}` : "Audit Log"} back={{ to: back }}>
        <p>What was recorded about the code and about the order that paid for it.</p>
      </PageHeader>
      <AuditLogTable rows={rows} total={total} params={params} at={at} />
      <Pagination page={params.page} pages={pages} href={(page) => at({ page })} label="Audit log pages" />
    </div>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) =>
  data?.code ? `Audit Log of ${data.code.name}` : "Audit Log",
);
