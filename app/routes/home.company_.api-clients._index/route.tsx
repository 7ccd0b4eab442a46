import { type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ClientList } from "~/components/api-clients/client-list";
import { pageTitle } from "~/components/shell/page-title";
import { requireUser } from "~/http/guard.server";
import { paths } from "~/lib/paths";
import { listPage } from "./clients.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "manage-company");
  return listPage(user, "company", true);
}

/** The API clients of the company in which the user works. */
export default function ApiClients() {
  return (
    <ClientList
      kind="company"
      {...useLoaderData<typeof loader>()}
      back={{ to: paths.company, label: "Your company" }}
    />
  );
}

export const meta = pageTitle("API clients");
