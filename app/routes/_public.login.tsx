import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { LoginScreen } from "~/components/accounts/login-screen";
import { pageTitle } from "~/components/shell/page-title";
import { loginValidator as validator } from "~/domain/accounts/validators";
import { findBanner } from "~/domain/homepage/homepage.service.server";
import { authenticator, withFields } from "~/http/authenticator.server";
import { readForm } from "~/http/forms.server";
import { findUser } from "~/http/guard.server";
import { continueLogin } from "~/http/log-in.server";
import { isOwnForm } from "~/http/origin.server";
import { safeRedirect, targetOf } from "~/http/redirects";
import { invalid, refused } from "~/http/responses.server";
import { isStaleForm } from "~/http/stale-form.server";
import { singleSignOn } from "~/lib/single-sign-on.server";

export async function loader({ request }: LoaderFunctionArgs) {
  if (await findUser(request)) throw redirect(targetOf(request));
  return json({ banner: await findBanner(), signOn: singleSignOn()?.name ?? null });
}

/**
 * Reads a form that needs no session, such as the login form. It accepts the form of a page that was opened before a login in another tab,
 * if the browser says that a page of the portal sent it. Throws what `readForm` throws.
 */
async function readAnonymousForm(request: Request): Promise<FormData> {
  try {
    return await readForm(request);
  } catch (error) {
    if (isStaleForm(error) && isOwnForm(request) && error.formId !== undefined) return error.fields;
    throw error;
  }
}

export async function action({ request }: ActionFunctionArgs) {
  const form = await validator.validate(await readAnonymousForm(request));
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    const login = await authenticator.authenticate("form", withFields(request, form.data));
    return await continueLogin(request, login, safeRedirect(form.data.redirectTo));
  } catch (error) {
    return refused(error, form.submittedData, form.formId);
  }
}

export default function Login() {
  const { banner, signOn } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  return <LoginScreen validator={validator} redirectTo={search.get("redirectTo")} banner={banner} signOn={signOn} />;
}

export const meta = pageTitle("Log in");
