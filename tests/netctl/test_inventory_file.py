"""Inventories in TOML: equal after writing and reading, and every fault named with its place."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netctl import Inventory, InventoryError, Node, Resource, load_inventory, write_inventory
from netctl.apps.line import line_inventory


def test_the_built_in_line_is_the_same_after_a_round_trip(tmp_path: Path) -> None:
    write_inventory(line_inventory(), tmp_path / "line.toml")

    assert load_inventory(tmp_path / "line.toml") == line_inventory()
    text = (tmp_path / "line.toml").read_text(encoding="utf-8")
    assert text.startswith("[[nodes]]\nnode_id = 3\n")
    assert "[[nodes.resources]]" in text
    assert "[[links]]" in text


FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(
    name=st.text(max_size=20).filter(lambda text: text.isprintable() or "\ud800" not in text),
    unit=st.text(alphabet=st.characters(codec="utf-8"), max_size=5),
    bounds=st.tuples(FINITE, FINITE).map(sorted),
    defaults=st.dictionaries(
        st.text(alphabet=st.characters(codec="utf-8"), max_size=5),
        st.text(alphabet=st.characters(codec="utf-8"), max_size=5),
        max_size=3,
    ),
)
def test_whatever_can_be_said_of_a_node_survives(
    tmp_path_factory: pytest.TempPathFactory,
    name: str,
    unit: str,
    bounds: list[float],
    defaults: dict[str, str],
) -> None:
    resource = Resource(
        name="gain_db", unit=unit, min=bounds[0], max=bounds[1], slew_per_minute=0.1, read_only=True
    )
    node = Node(
        node_id=1,
        name=name.encode("utf-8", "replace").decode(),
        kind="roadm",
        resources=(resource,),
        metrics=("gain_db", "power_dbm"),
        defaults=defaults,
    )
    path = tmp_path_factory.getbasetemp() / "any.toml"

    write_inventory(Inventory(nodes=(node,)), path)

    assert load_inventory(path) == Inventory(nodes=(node,))


NODE = '[[nodes]]\nnode_id = 1\nname = "one"\nkind = "roadm"\n'


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("nodes = [", "is no TOML: Invalid value"),
        ("", "has 1 faults: nodes: Field required"),
        (NODE + 'colour = "red"', r"nodes\[0\].colour: Extra inputs are not permitted, got 'red'"),
        (NODE.replace("1", "true"), r"nodes\[0\].node_id: Input should be a valid integer"),
        (NODE + NODE, "the whole: two nodes have the id 1"),
        (
            NODE + '[[nodes.resources]]\nname = "g"\nunit = "dB"\nmin = 2\nmax = 1',
            r"nodes\[0\].resources\[0\]: min 2.0 of 'g' is above its max 1.0",
        ),
        (NODE + "[[links]]\nsource = 1\ntarget = 2\nloss_db = 1", "the link 1 to 2 lacks node 2"),
        (NODE + "metrics = [" + "1," * 30 + "]", "has 30 faults: .*; and 10 more"),
    ],
)
def test_a_fault_is_named_with_its_place(tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "bad.toml").write_text(text, encoding="utf-8")

    with pytest.raises(InventoryError, match=fault) as caught:
        load_inventory(tmp_path / "bad.toml")
    assert caught.value.hint


def test_a_file_that_cannot_be_read_or_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_bytes(b"name = '\xff'")

    with pytest.raises(InventoryError, match="is no text in UTF-8: invalid start byte at byte 8"):
        load_inventory(tmp_path / "bad.toml")
    with pytest.raises(InventoryError, match="cannot be read: No such file"):
        load_inventory(tmp_path / "none.toml")
    with pytest.raises(InventoryError, match="cannot be written: No such file"):
        write_inventory(line_inventory(), tmp_path / "nowhere" / "line.toml")
