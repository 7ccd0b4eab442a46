import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ALL_COMPANIES, ShownCompanyNote } from "~/components/companies/shown-company-note";
import { ListToolbar } from "~/components/lists/list-toolbar";
import { Pagination } from "~/components/lists/pagination";
import { pageTitle } from "~/components/shell/page-title";
import { LinkButton } from "~/components/ui/buttons";
import { PageHeader } from "~/components/ui/page-header";
import { StaffingNote } from "~/components/users/staffing-note";
import { RightFilter, StateFilter } from "~/components/users/user-filters";
import { UsersTable } from "~/components/users/users-table";
import { WaitingErasureList, WaitingRequestList } from "~/components/users/waiting-requests";
import { listWaitingRequests } from "~/domain/accounts/administration/dual-control-view.server";
import { loadMissingStaff } from "~/domain/accounts/administration/staffing.server";
import { userList } from "~/domain/accounts/administration/user-list";
import { listUsersForAdmin } from "~/domain/accounts/administration/users-list.service.server";
import { listWaitingErasures } from "~/domain/accounts/personal-data/erasure.service.server";
import { may } from "~/domain/accounts/rights.policy";
import { findShownCompany } from "~/domain/companies/staff/companies-list.service.server";
import { requireUser } from "~/http/guard.server";
import { accountPaths } from "~/lib/account-paths";
import { paths } from "~/lib/paths";

export async function loader({ request }: LoaderFunctionArgs) {
  const viewer = await requireUser(request, "see-users");
  const users = await listUsersForAdmin(userList.read(new URL(request.url).searchParams));
  const shownCompany = await findShownCompany(viewer, users.params.companyId);
  const [requests, erasures] = [await listWaitingRequests(viewer), await listWaitingErasures()];
  const missingStaff = await loadMissingStaff();
  return json({ ...users, shownCompany, requests, erasures, missingStaff, mayChange: may(viewer, "change-users") });
}

export default function Users() {
  const { rows, total, hasMore, pages, params, shownCompany, requests, erasures, missingStaff, mayChange } =
    useLoaderData<typeof loader>();
  const kept = userList.query(params, { page: 1, size: 10, search: "" });
  return (
    <div className="stack-l">
      <PageHeader
        title="Users"
        back={{ to: paths.dashboard, label: "Back" }}
        actions={
          <>
            {mayChange && (
              <LinkButton to={accountPaths.newUser} variant="primary">
                New user
              </LinkButton>
            )}
            {mayChange && <LinkButton to={accountPaths.importUsers}>Import users</LinkButton>}
            <LinkButton to={accountPaths.apiClients("staff")}>API clients</LinkButton>
          </>
        }
      >
        <p>
          All accounts of the portal. Follow a name to {mayChange ? "lock, unlock, disable or help" : "look at"} an
          account.
        </p>
      </PageHeader>
      <StaffingNote missing={missingStaff} />
      <WaitingErasureList erasures={erasures} />
      <WaitingRequestList requests={requests} />
      {shownCompany && <ShownCompanyNote company={shownCompany} all={userList.href(params, ALL_COMPANIES)} />}
      <ListToolbar
        search={params.search}
        searchHint="Name, company, email or user name"
        size={params.size}
        keep={kept}
      />
      <StateFilter params={params} />
      <RightFilter params={params} />
      <UsersTable rows={rows} total={total} hasMore={hasMore} params={params} />
      <Pagination
        page={params.page}
        pages={pages}
        hasMore={hasMore}
        href={(page) => userList.href(params, { page })}
        label="Users pages"
      />
    </div>
  );
}

export const meta = pageTitle("Users");
