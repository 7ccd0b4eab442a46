import { SignOnRefusedPage } from "~/components/accounts/sign-on-refused-page";
import { pageTitle } from "~/components/shell/page-title";

export { loader } from "./page.server";

export default SignOnRefusedPage;

export const meta = pageTitle("Single sign-on");
