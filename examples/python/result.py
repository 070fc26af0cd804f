"""Revenue, costs and result by month, as text or for a spreadsheet.

    HUVUDBOK_URL=… HUVUDBOK_KEY=… python3 examples/python/result.py [--csv]

The key needs ``data:read``.
"""

import csv
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "clients" / "python"))
from huvudbok import Huvudbok  # noqa: E402

books = Huvudbok(os.environ.get("HUVUDBOK_URL", "http://127.0.0.1:3000"), os.environ["HUVUDBOK_KEY"])
months = books.get("/api/stats/monthly")["months"]

if "--csv" in sys.argv:
    table = csv.writer(sys.stdout)
    table.writerow(["month", "revenue", "costs", "result"])
    table.writerows([month["month"], month["revenue"], month["costs"], month["result"]] for month in months)
else:
    for month in months:
        print(f'{month["month"]} {month["revenue"]:>12,} {month["costs"]:>12,} {month["result"]:>12,}')
