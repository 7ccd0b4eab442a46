import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { AuditLogTable } from "~/components/codes/audit-log-table";
import { PageHeader } from "~/components/page-header";
import { pageTitle } from "~/components/page-title";
import { Pagination } from "~/components/pagination";
import { codeAuditLog, readAuditLogParams } from "~/domain/codes/audit-log.params";
import { loadAuditLog } from "~/domain/codes/audit-log.service.server";
import { readCodeSearchBehind, withCodeSearch } from "~/domain/codes/search.params";
import { requireUser } from "~/http/guard.server";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request, "Admin");
  const { searchParams } = new URL(request.url);
  const codeId = readId(searchParams.get("code") ?? undefined);
  const log = await loadAuditLog(codeId, readAuditLogParams(searchParams));
  return json({ ...log, search: readCodeSearchBehind(searchParams) });
}

/** Back to the code, which leads on to the search that it was opened from. */
function backOf({ code, search }: Pick<ReturnType<typeof useLoaderData<typeof loader>>, "code" | "search">) {
  if (!code) return paths.codes;
  const details = paths.codeDetails({ code: code.id });
  return search ? withCodeSearch(details, search) : details;
}

export default function CodeAuditLog() {
  const { code, rows, total, pages, params, search } = useLoaderData<typeof loader>();
  const at = (change: Partial<typeof params>) => {
    const place = codeAuditLog(code?.id ?? 0, params, change);
    return search ? withCodeSearch(place, search) : place;
  };
  return (
    <div className="stack-l">
      <PageHeader title={code ? `Audit Log of ${code.name}` : "Audit Log"} back={{ to: backOf({ code, search }) }}>
        <p>What was recorded about the code and about the order that paid for it.</p>
      </PageHeader>
      <AuditLogTable {...{ rows, total, params, at }} />
      <Pagination page={params.page} pages={pages} href={(page) => at({ page })} label="Audit log pages" />
    </div>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) =>
  data?.code ? `Audit Log of ${data.code.name}` : "Audit Log",
);
