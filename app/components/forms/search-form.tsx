import { Form, type FormProps } from "@remix-run/react";

interface Props extends Omit<FormProps, "method"> {
  /** Parameters of the URL that a search keeps, such as the order of the list. */
  keep?: URLSearchParams;
}

/** A search as a form of method GET, so that the URL has what is searched for. */
export function SearchForm({ keep, children, ...form }: Props) {
  return (
    <Form method="get" role="search" {...form}>
      {keep && [...keep].map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)}
      {children}
    </Form>
  );
}
