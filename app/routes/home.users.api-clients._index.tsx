import { type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ClientList } from "~/components/api-clients/client-list";
import { pageTitle } from "~/components/shell/page-title";
import { may } from "~/domain/accounts/rights.policy";
import { requireUser } from "~/http/guard.server";
import { paths } from "~/lib/paths";
import { listPage } from "./home.company_.api-clients._index/clients.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-users");
  return listPage(user, "staff", may(user, "change-users"));
}

/** The API clients of staff. */
export default function ApiClients() {
  return <ClientList kind="staff" {...useLoaderData<typeof loader>()} back={{ to: paths.users, label: "Users" }} />;
}

export const meta = pageTitle("API clients");
