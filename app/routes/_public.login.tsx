import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { LoginScreen } from "~/components/accounts/login-screen";
import { pageTitle } from "~/components/shell/page-title";
import { authenticator, withFields } from "~/http/authenticator.server";
import { loginValidator as validator } from "~/domain/accounts/validators";
import { findBanner } from "~/domain/homepage/homepage.service.server";
import { readAnonymousForm } from "~/http/anonymous-form.server";
import { findUser } from "~/http/guard.server";
import { safeRedirect, targetOf } from "~/http/redirects";
import { invalid, refused } from "~/http/responses.server";
import { signIn } from "~/http/sign-in.server";

export async function loader({ request }: LoaderFunctionArgs) {
  if (await findUser(request)) throw redirect(targetOf(request));
  return json({ banner: await findBanner() });
}

export async function action({ request }: ActionFunctionArgs) {
  const form = await validator.validate(await readAnonymousForm(request));
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    const user = await authenticator.authenticate("form", withFields(request, form.data));
    return await signIn(request, user, safeRedirect(form.data.redirectTo));
  } catch (error) {
    return refused(error, form.submittedData, form.formId);
  }
}

export default function Login() {
  const { banner } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  return <LoginScreen validator={validator} redirectTo={search.get("redirectTo")} banner={banner} />;
}

export const meta = pageTitle("Log in");
