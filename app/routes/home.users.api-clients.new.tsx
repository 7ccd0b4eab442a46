import { type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { NewClient } from "~/components/api-clients/new-client";
import { pageTitle } from "~/components/shell/page-title";
import { type ShownSecret } from "~/domain/api-clients/management.server";
import { requireUser } from "~/http/guard.server";
import { create, newPage } from "./home.company_.api-clients._index/clients.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "change-users");
  return newPage(request, user, "staff");
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "change-users");
  return create({ request, user, kind: "staff" });
}

export default function NewApiClient() {
  const shown = useActionData<{ shown?: ShownSecret }>()?.shown;
  return <NewClient kind="staff" {...useLoaderData<typeof loader>()} shown={shown} />;
}

export const meta = pageTitle("New API client");
