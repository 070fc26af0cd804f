/** What a document may cost. Everything is bounded before and while it is read, never after. */

export interface XmlLimits {
  /** Size of the document as received. */
  readonly bytes_max: number;
  /** Nesting of elements. UBL needs fewer than 16. */
  readonly depth_max: number;
  readonly elements_max: number;
  readonly attributes_per_element_max: number;
  /**
   * Elements directly in one of UBL's aggregates, other than the root. Rules look from a child to its
   * siblings, so thousands of these would cost as the square.
   */
  readonly children_per_aggregate_max: number;
  /** Namespaces declared at one place. */
  readonly namespaces_max: number;
  /** Different element names. UBL has some 600 in invoices; what extensions hold adds a few. */
  readonly names_max: number;
  /** UTF-16 units of an element or attribute name. */
  readonly name_length_max: number;
  /** UTF-16 units of an attribute value. */
  readonly attribute_length_max: number;
  /**
   * The processor's time for reading, in milliseconds: a last resort, looked at between pieces of the document.
   * Not the clock's: a lawful invoice must not be refused because the machine is busy with other things.
   */
  readonly cpu_ms_max: number;
}

export const defaultLimits: XmlLimits = {
  bytes_max: 4 * 1024 * 1024,
  depth_max: 32,
  elements_max: 150_000,
  attributes_per_element_max: 64,
  children_per_aggregate_max: 1000,
  namespaces_max: 64,
  names_max: 2000,
  name_length_max: 128,
  attribute_length_max: 8192,
  cpu_ms_max: 2000,
};
