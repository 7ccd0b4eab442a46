import { type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { type AskedEnd, ClientDetails } from "~/components/api-clients/client-details";
import { pageTitle } from "~/components/shell/page-title";
import { type ShownSecret } from "~/domain/api-clients/management.server";
import { requireUser } from "~/http/guard.server";
import { change, clientPage } from "./home.company_.api-clients._index/clients.server";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request, "manage-company");
  return clientPage(user, "company", params.id, true);
}

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request, "manage-company");
  return change({ request, user, kind: "company" }, params.id);
}

export default function ApiClient() {
  const answer = useActionData<{ asked?: AskedEnd; shown?: ShownSecret }>();
  return (
    <ClientDetails kind="company" {...useLoaderData<typeof loader>()} asked={answer?.asked} shown={answer?.shown} />
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => data?.client.name ?? "API client");
