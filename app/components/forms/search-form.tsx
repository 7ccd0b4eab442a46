import { Form, type FormProps } from "@remix-run/react";

interface Props extends Omit<FormProps, "method"> {
  /** Query parameters that a search keeps, such as the sort order. */
  keep?: URLSearchParams;
}

/** A search form with the method GET, so that the URL contains the search. */
export function SearchForm({ keep, children, ...form }: Props) {
  return (
    <Form method="get" role="search" {...form}>
      {keep && [...keep].map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)}
      {children}
    </Form>
  );
}
