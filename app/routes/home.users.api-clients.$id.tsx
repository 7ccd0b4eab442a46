import { type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { type AskedEnd, ClientDetails } from "~/components/api-clients/client-details";
import { pageTitle } from "~/components/shell/page-title";
import { may } from "~/domain/accounts/rights.policy";
import { type ShownSecret } from "~/domain/api-clients/management.server";
import { requireUser } from "~/http/guard.server";
import { change, clientPage } from "./home.company_.api-clients._index/clients.server";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-users");
  return clientPage(user, "staff", params.id, may(user, "change-users"));
}

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request, "change-users");
  return change({ request, user, kind: "staff" }, params.id);
}

export default function ApiClient() {
  const answer = useActionData<{ asked?: AskedEnd; shown?: ShownSecret }>();
  return <ClientDetails kind="staff" {...useLoaderData<typeof loader>()} asked={answer?.asked} shown={answer?.shown} />;
}

export const meta = pageTitle<typeof loader>(({ data }) => data?.client.name ?? "API client");
