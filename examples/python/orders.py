"""Hands in a shop's orders out of a CSV file, one line a row of an order.

    HUVUDBOK_URL=… HUVUDBOK_KEY=… python3 examples/python/orders.py orders.csv

The key needs ``intake:write`` alone. Columns: order, date, customer, email, description, quantity, price, vat — with prices
that include VAT, with a decimal point. Run it again whenever you like: an order that has come before becomes nothing new.
"""

import csv
import os
import sys
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "clients" / "python"))
from huvudbok import Huvudbok, HuvudbokError  # noqa: E402

books = Huvudbok(os.environ.get("HUVUDBOK_URL", "http://127.0.0.1:3000"), os.environ["HUVUDBOK_KEY"])


def orders(path: str):
    """One order a number, its rows in the order of the file."""
    found: dict = {}
    with open(path, newline="", encoding="utf-8-sig") as file:
        for line in csv.DictReader(file):
            order = found.setdefault(
                line["order"],
                {
                    "externalId": line["order"],
                    "orderDate": line["date"],
                    "currency": "SEK",
                    "pricesIncludeVat": True,
                    "customer": {"name": line["customer"], "email": line["email"] or None},
                    "rows": [],
                },
            )
            order["rows"].append(
                {
                    "description": line["description"],
                    "quantity": Decimal(line["quantity"]),
                    "unitPrice": Decimal(line["price"]),
                    "vatRate": int(line["vat"]),
                }
            )
    for order in found.values():
        order["total"] = sum(row["quantity"] * row["unitPrice"] for row in order["rows"])
        order["customer"] = {name: value for name, value in order["customer"].items() if value is not None}
        yield order


needs_a_person = 0
for order in orders(sys.argv[1]):
    try:
        answer = books.post("/api/inbound/order", order)
        print(order["externalId"], "known before" if answer.get("duplicate") else "drafted", answer["invoiceId"])
        if changed := answer.get("differingFields"):
            # The invoice is as the order was first: a person credits it, or writes another of what was added.
            needs_a_person += 1
            print(order["externalId"], "changed since:", ", ".join(changed))
    except HuvudbokError as refusal:
        if refusal.status != 422:
            raise
        # Kept with its reason: a person mends it in Huvudbok, and it is not to be sent again unchanged.
        needs_a_person += 1
        print(order["externalId"], "kept for a person:", refusal.detail.get("reason"))
sys.exit(1 if needs_a_person else 0)
