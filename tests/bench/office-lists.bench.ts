import { userList } from "~/domain/accounts/administration/user-list";
import { listUsersForAdmin } from "~/domain/accounts/administration/users-list.service.server";
// Every list of the office while the portal grows: `npm run bench office-lists`. `BENCH_ROWS` is the largest number of rows of each table,
// and `BENCH_DATABASES` the databases to measure.
import { type SessionUser } from "~/domain/accounts/session-user";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { trailList } from "~/domain/audit/trail-list";
import { loadTrail } from "~/domain/audit/trail.service.server";
import { CERTIFICATE_SORTS, certificateList } from "~/domain/certificates/catalogue/certificate-list";
import { listCertificatesFor } from "~/domain/certificates/catalogue/list.service.server";
import { codeList } from "~/domain/codes/list/code-list";
import { listCodesFor, listOrdersFor } from "~/domain/codes/list/service.server";
import { listCompaniesForStaff } from "~/domain/companies/staff/companies-list.service.server";
import { companyList } from "~/domain/companies/staff/company-list";
import { SALES_ORDER_SORTS, salesOrderList } from "~/domain/orders/list/sales-order-list";
import { findSalesOrders } from "~/domain/orders/list/service.server";
import { securityEventList } from "~/domain/security-events/list";
import { loadSecurityEvents } from "~/domain/security-events/list.service.server";
import { type Dialect } from "~db/connection.server";
import { createAdmin } from "../support/factories";
import { fillAccounts, fillListedCertificates, fillSecurityEvents } from "../support/many-accounts";
import { fillRegister } from "../support/many-codes";
import { fillEntries } from "../support/many-entries";
import { createOwnerOfMany, fillOrders } from "../support/many-orders";
import { type LongList, measureGrowth, sortedBy } from "./long-lists";
import { withPortal } from "./portal";

const DATABASES = (process.env.BENCH_DATABASES ?? "sqlite,postgres").split(",") as Dialect[];

type Account = Awaited<ReturnType<typeof createOwnerOfMany>>;

/** Stores the rows of every table with the numbers from `from` (inclusive) to `to` (exclusive). */
async function fill(dialect: Dialect, owner: Account, from: number, to: number): Promise<void> {
  await fillAccounts(dialect, from, to);
  await fillOrders(dialect, owner.id, from, to);
  await fillListedCertificates(dialect, owner, from, to);
  await fillRegister(dialect, from, to);
  await fillEntries(dialect, owner.id, from, to);
  await fillSecurityEvents(dialect, from, to);
}

function listsFor(admin: SessionUser, owner: Account): LongList[] {
  return [
    {
      name: "sales orders",
      load: (query) => findSalesOrders(salesOrderList.read(query)),
      queries: {
        single: [
          "",
          "page=5",
          ...sortedBy(...SALES_ORDER_SORTS),
          "orderNumber=1000007",
          "from=2024-01-01",
          "to=2024-01-01",
          "status=Open",
          "orderType=Full",
          "country=276",
          "userName=zz-many",
          "company=parts42",
          "company=gmbh",
          `companyId=${owner.companyId}`,
        ],
        combined: [
          "from=2024-01-01&sort=company.desc",
          "status=Paid&sort=orderDate.asc",
          "country=276&sort=orderNumber.desc",
          "company=gmbh&status=Paid&sort=orderTotal.desc",
        ],
      },
    },
    {
      name: "certificates",
      load: (query) => listCertificatesFor(admin, certificateList.read(query)),
      queries: {
        single: [
          "",
          "page=5",
          ...sortedBy(...CERTIFICATE_SORTS),
          ...["expires=30", "expires=60", "expires=90"],
          ...["host-42", "parts42", "issued", "revoked", "renewal", "1000042"].map((word) => `search=${word}`),
          `companyId=${owner.companyId}`,
        ],
        combined: ["expires=30&sort=certificateExpiryDate.asc", "search=example&sort=commonName.asc"],
      },
    },
    {
      name: "audit trail",
      load: (query) => loadTrail(trailList.read(query)),
      queries: {
        single: [
          "",
          "page=5",
          "sort=recorded.asc",
          "event=order.created",
          "person=zz-many",
          "person=person42%40example.org",
          "reference=R-42",
          "reference=SO-1000042",
          "address=192.0.2.1",
          "from=01%2F01%2F2024&to=01%2F01%2F2024",
          "text=many",
          "text=number+12",
        ],
        combined: ["person=zz-many&event=mail.sent", "person=zz-many&event=mail.sent&from=01%2F01%2F2024"],
      },
    },
    {
      name: "codes",
      load: (query) => listCodesFor(admin, codeList.read(query)),
      queries: {
        single: [
          "",
          "page=5",
          ...sortedBy("code", "codeType", "subcode", "company", "email", "entityName", "status"),
          ...["parts42", "gmbh", "0012", "registered", "full"].map((word) => `search=${word}`),
          `companyId=${admin.companyId}`,
        ],
      },
    },
    {
      name: "orders of codes",
      load: () => listOrdersFor(admin, { chosen: null }),
      queries: { single: [""] },
    },
    {
      name: "users",
      load: (query) => listUsersForAdmin(userList.read(query)),
      queries: {
        single: [
          "",
          "page=5",
          ...sortedBy("name", "company", "email", "lastLogin"),
          ...["active", "disabled", "locked", "merged", "erased"].map((state) => `state=${state}`),
          ...["applicant", "admin", "see-users"].map((right) => `right=${right}`),
          ...["muster42", "parts"].map((word) => `search=${word}`),
          `companyId=${owner.companyId}`,
        ],
      },
    },
    {
      name: "companies",
      load: (query) => listCompaniesForStaff(companyList.read(query)),
      queries: {
        single: ["", "page=5", ...sortedBy("name", "number"), "search=parts42", "search=gmbh", "search=1999999958"],
      },
    },
    {
      name: "security events",
      load: (query) => loadSecurityEvents(securityEventList.read(query)),
      queries: {
        single: [
          "",
          "page=5",
          "sort=recorded.asc",
          "event=account.locked",
          "user=user42",
          "user=nobody",
          "address=192.0.1.42",
          "address=192.0.1.0%2F24",
          "address=198.51.100.1",
          "from=01%2F01%2F2024&to=01%2F01%2F2024",
        ],
      },
    },
  ];
}

/** In seconds. One statement fills a table, and takes minutes. */
const LONGEST_STATEMENT = "3600";

async function measureLists(dialect: Dialect): Promise<void> {
  const owner = await createOwnerOfMany();
  const admin = await findSessionUser({ id: (await createAdmin()).id, epoch: 0 });
  if (!admin) throw new Error("There is nobody to look.");
  await measureGrowth(dialect, listsFor(admin, owner), (from, to) => fill(dialect, owner, from, to));
}

for (const dialect of DATABASES)
  await withPortal(dialect, () => measureLists(dialect), { DATABASE_TIMEOUT: LONGEST_STATEMENT });
