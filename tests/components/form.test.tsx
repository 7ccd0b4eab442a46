import { withZod } from "@remix-validated-form/with-zod";
import { type ActionFunctionArgs } from "@remix-run/node";
import { expect, test } from "vitest";
import { z } from "zod";
import { SubmitButton } from "~/components/buttons";
import { CheckboxField } from "~/components/checkbox-field";
import { ErrorSummary } from "~/components/error-summary";
import { PortalForm } from "~/components/form";
import { PageHeader } from "~/components/page-header";
import { PasswordField } from "~/components/password-field";
import { TextField } from "~/components/text-field";
import { invalid } from "~/http/responses.server";
import { email, requiredText } from "~/lib/fields";
import { shell, visit } from "./portal";

const validator = withZod(z.object({ email: email(), password: requiredText(50), terms: z.literal("on").optional() }));

const page = {
  title: "Registration - Supply Chain CA",
  view: () => (
    <>
      <ErrorSummary formId="register" order={["password", "email"]} labels={{ email: "E-mail" }} />
      <PageHeader title="Registration" />
      <PortalForm id="register" validator={validator} defaultIntent="next" defaultValues={{ terms: true }}>
        <TextField name="email" label="E-mail" hint="Of your company" noPaste />
        <PasswordField name="password" label="Password" autoComplete="new-password" />
        <CheckboxField name="terms" label="I agree" />
        <SubmitButton intent="next">Register</SubmitButton>
      </PortalForm>
    </>
  ),
  action: async ({ request }: ActionFunctionArgs) => {
    const result = await validator.validate(await request.formData());
    return result.error ? invalid(result.error, result.submittedData) : null;
  },
};

const refused = () =>
  visit(page, {
    body: new URLSearchParams({ __rvfInternalFormId: "register", email: "no address", password: "", intent: "next" }),
  });

test("[REG-07] a form comes without messages and says after a submit what is wrong, each message with its field", async () => {
  const fresh = await visit(page);
  expect(fresh.html).not.toContain("There is a problem");
  expect(fresh.html).not.toContain("aria-invalid");

  const { status, html } = await refused();
  expect(status).toBe(422);
  expect(html).toContain("<title>Error: Registration - Supply Chain CA</title>");
  expect(html.indexOf("There is a problem")).toBeLessThan(html.indexOf("<h1>"));
  const listed = [...html.matchAll(/<li><a href="#(register-[^"]+)">(.*?)<\/a><\/li>/g)].map(([, id, text]) => [
    id,
    text,
  ]);
  expect(listed).toEqual([
    ["register-password", "Password: This field is required."],
    ["register-email", "E-mail: Email address is not valid."],
  ]);
  expect(html).toContain('<p class="err" id="register-email-error">Email address is not valid.</p>');
  expect(html).toMatch(
    /aria-invalid="true" aria-describedby="register-email-hint register-email-error[^"]*" id="register-email"/,
  );
});

test("[GEN-04] a refused form keeps what was typed, but no password and no tick that was taken away", async () => {
  const { html } = await refused();
  expect(html).toMatch(/<input[^>]*id="register-email"[^>]*value="no address"/);
  expect(html.match(/<input[^>]*id="register-password"[^>]*>/)?.[0]).not.toContain("value=");
  expect(html.match(/<input[^>]*id="register-terms"[^>]*>/)?.[0]).not.toContain("checked");
  expect((await visit(page)).html.match(/<input[^>]*id="register-terms"[^>]*>/)?.[0]).toContain("checked");
});

test("a form posts on its own: token, default button first, nothing disabled, no validation by the browser", async () => {
  const { html } = await visit(page);
  const form = html.slice(html.indexOf('id="register"') - 80, html.indexOf(">Register<"));
  expect(form).toContain('method="post"');
  expect(form).toContain("novalidate");
  expect(form).toContain(`name="csrf" value="${shell.csrf}"`);
  expect(form).toMatch(
    /^(?:(?!<button).)*<button type="submit" name="intent" value="next" class="vh" tabindex="-1" aria-hidden="true"/,
  );
  expect(form).not.toContain("disabled");
});

test("a field without pasting says so, and only while the portal is configured that way", async () => {
  const words = "Copy and paste are switched off for this field.";
  expect((await visit(page)).html).toContain(words);
  const open = { ...page, shell: { portal: { ...shell.portal, pasteBlocking: false } } };
  expect((await visit(open)).html).not.toContain(words);
});
